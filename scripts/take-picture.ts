/** Takes the picture of the README anew, with the built program. `npm run build && npm run docs:picture`. */
import { writeFile } from 'node:fs/promises';
import { whatifPicture, whatifPictureFile } from './docs/whatif-picture.ts';

await writeFile(whatifPictureFile, await whatifPicture());
console.log(`wrote ${whatifPictureFile}`);
