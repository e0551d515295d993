# syntax=docker/dockerfile:1
# docker buildx build --platform linux/amd64,linux/arm64 -t forerun .
# docker run --rm -i -v "$PWD:/workspace" forerun mcp --root /workspace
# The package is built once, on the machine that builds, and installed once for each platform.
FROM --platform=$BUILDPLATFORM node:22-bookworm-slim AS build
WORKDIR /source
COPY package.json package-lock.json ./
RUN npm ci
COPY . .
RUN npm pack --pack-destination /

FROM node:22-bookworm-slim
RUN apt-get update \
  && apt-get install --yes --no-install-recommends git \
  && rm -rf /var/lib/apt/lists/*
COPY --from=build /forerun-*.tgz /tmp/
RUN npm install --global --omit=dev /tmp/forerun-*.tgz && rm -rf /tmp/forerun-*.tgz /root/.npm
# A user without a name and without rights; what it stores goes to a directory of its own.
ENV HOME=/home/forerun
RUN mkdir -p /home/forerun /workspace && chown 65532:65532 /home/forerun /workspace
USER 65532:65532
WORKDIR /workspace
ENTRYPOINT ["forerun"]
CMD ["mcp"]
