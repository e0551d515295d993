/** The card of a change in a chat: title, verdict with proof, errors, commands, files, buttons. */
import type { ComponentChildren, VNode } from 'preact';
import { useState } from 'preact/hooks';
import { counted } from '../../src/text/counted-noun.ts';
import type { CardChange, CardFile, CardLine, WhatIfCard } from '../../src/tools/what-if/what-if-card.ts';
import { Button } from '../ui/button.tsx';
import { Icon } from '../ui/icon.tsx';
import { Proof, Verdict, type VerdictKind } from '../ui/verdict.tsx';
import type { CardModel } from './card-model.ts';

export function Card({ model }: { readonly model: CardModel }): VNode {
  const state = model.state.value;
  switch (state.kind) {
    case 'waiting':
      return (
        <Frame title="What if">
          <Band kind="checking" word="Checking" />
        </Frame>
      );
    case 'shown':
      return <Shown model={model} card={state.card} />;
    case 'ended':
      return (
        <Frame title={state.title}>
          <Band kind="none" word={state.words} />
        </Frame>
      );
    case 'gone':
      return (
        <Frame title="What if">
          <Band kind="none" word="This what-if no longer exists." />
        </Frame>
      );
    case 'failed':
      return (
        <Frame title="What if">
          <Band kind="unknown" word="Not done" detail={state.message} />
        </Frame>
      );
    case 'base-changed': {
      const { title, message, change } = state;
      return (
        <Frame title={title} note="not on disk">
          <Band kind="conflict" word="Base changed on disk" detail={message.replace(/^.*read them: /s, '')} />
          <footer>
            <Button look="primary" onClick={() => model.askToRepeat(change, message)}>
              Ask to make it on the new text
            </Button>
            <Button onClick={() => model.discard([change])}>Discard</Button>
          </footer>
        </Frame>
      );
    }
  }
}

function Shown({ model, card }: { readonly model: CardModel; readonly card: WhatIfCard }): VNode {
  switch (card.kind) {
    case 'change':
      return (
        <Frame title={card.change.title} note="not on disk">
          <Change change={card.change} />
          <ChangeButtons model={model} change={card.change} />
        </Frame>
      );
    case 'ranked':
      return <Ranked model={model} card={card} />;
    case 'committed':
      return (
        <Frame title={card.title} note="committed">
          <Band kind="clean" word={`Committed ${counted(card.paths.length, 'file')}`}>
            <Button isDisabled={model.isBusy.value} onClick={() => model.undo(card.title)}>
              <Icon name="back" size="small" />
              Undo
            </Button>
          </Band>
        </Frame>
      );
  }
}

function Frame(props: {
  readonly title: string;
  readonly note?: string;
  readonly children: ComponentChildren;
}): VNode {
  return (
    <section class="wc" aria-label="What if">
      <header>
        <span class="brand">
          <Icon name="whatIf" />
        </span>
        <h1 class="strong cut">{props.title}</h1>
        <span class="grow" />
        {props.note === undefined ? null : <span class="faint sm nowrap">{props.note}</span>}
      </header>
      <div class="scroll">{props.children}</div>
    </section>
  );
}

const bandClass: Readonly<Record<VerdictKind, string>> = {
  clean: 'clean',
  break: 'break',
  conflict: 'caution',
  unknown: 'unknown',
  checking: 'checking',
  none: '',
  warning: 'caution',
};

function Band(props: {
  readonly kind: VerdictKind;
  readonly word: string;
  readonly detail?: string;
  readonly children?: ComponentChildren;
}): VNode {
  return (
    <div class={`band ${bandClass[props.kind]}`} role="status">
      <Verdict kind={props.kind}>{props.word}</Verdict>
      {props.detail === undefined ? null : <span class="sm detail">{props.detail}</span>}
      <span class="grow" />
      {props.children}
    </div>
  );
}

function verdictOf(change: CardChange): { readonly kind: VerdictKind; readonly word: string } {
  switch (change.verdict) {
    case 'clean':
      return { kind: 'clean', word: 'Clean' };
    case 'broken':
      return { kind: 'break', word: `Breaks ${counted(change.brokenFiles, 'file')}` };
    case 'unknown':
      return { kind: 'unknown', word: 'Unknown' };
  }
}

function ChangeBand({ change }: { readonly change: CardChange }): VNode {
  const { kind, word } = verdictOf(change);
  const { introducedErrors, resolved, isProved, checkedFiles, scope, doubt } = change;
  const counts = [
    ...(introducedErrors > 0 ? [`${counted(introducedErrors, 'error')} introduced`] : []),
    ...(resolved > 0 ? [`${resolved} resolved`] : []),
  ].join(', ');
  const where = scope === 'file' ? 'in the edited files only' : counted(checkedFiles, 'file');
  return (
    <Band kind={kind} word={word} detail={counts === '' && !isProved ? doubt : counts}>
      <Proof isProved={isProved}>{isProved ? `Proved · ${where}` : 'Not proved'}</Proof>
    </Band>
  );
}

function Change({ change }: { readonly change: CardChange }): VNode {
  return (
    <>
      <ChangeBand change={change} />
      <Findings change={change} />
      {change.commands.map(({ command, passed, detail }) => (
        <div class="cmdl" key={command}>
          <Verdict kind={passed ? 'clean' : 'break'} size="small">
            <span class="mono">{command}</span>
          </Verdict>
          <span class="grow" />
          <span class="muted">{detail}</span>
        </div>
      ))}
      {change.files.map((file, index) => (
        <File key={file.path} file={file} isOpen={index === 0} />
      ))}
    </>
  );
}

const firstFindings = 5;

function Findings({ change }: { readonly change: CardChange }): VNode | null {
  const [isWhole, setWhole] = useState(false);
  const { findings, moreFindings } = change;
  if (findings.length === 0) return null;
  const shown = isWhole ? findings : findings.slice(0, firstFindings);
  const hidden = findings.length - shown.length;
  return (
    <ul class="er">
      {shown.map(({ path, line, column, message, code }) => (
        <li key={`${path}:${line}:${column}:${message}`}>
          <span class="mono cut" title={path}>
            {nameOf(path)} {line}:{column}
          </span>
          <span class="msg">{message}</span>
          <span class="faint mono w480">{code}</span>
        </li>
      ))}
      {hidden > 0 ? (
        <li>
          <Button look="quiet" onClick={() => setWhole(true)}>{`Show ${hidden} more`}</Button>
        </li>
      ) : null}
      {isWhole && moreFindings > 0 ? <li class="muted">{`${moreFindings} more are not listed.`}</li> : null}
    </ul>
  );
}

const firstLines = 12;

function File({ file, isOpen: isOpenAtFirst }: { readonly file: CardFile; readonly isOpen: boolean }): VNode {
  const [isOpen, setOpen] = useState(isOpenAtFirst);
  const [isWhole, setWhole] = useState(false);
  const { path, added, removed, lines, more, kind } = file;
  const shown = isWhole ? lines : lines.slice(0, firstLines);
  const hidden = lines.length - shown.length;
  return (
    <>
      <button type="button" class="fl" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        <Icon name={isOpen ? 'chevronDown' : 'chevronRight'} size="small" />
        <span class="mono cut">{path}</span>
        {kind === 'modified' ? null : <span class="tag">{kind}</span>}
        <span class="grow" />
        <span class="muted">{`+${added} −${removed}`}</span>
      </button>
      {isOpen ? (
        <div class="code">
          {shown.map((line, index) => (
            <Line key={index} line={line} />
          ))}
          {hidden > 0 ? (
            <Button look="quiet" onClick={() => setWhole(true)}>
              Show all
            </Button>
          ) : null}
          {isWhole && more > 0 ? <div class="muted">{`${more} more lines are not shown.`}</div> : null}
        </div>
      ) : null}
    </>
  );
}

const lineLooks = {
  context: { class: '', sign: ' ', words: '' },
  added: { class: 'dadd', sign: '+', words: 'added' },
  removed: { class: 'ddel', sign: '−', words: 'removed' },
  gap: { class: 'gap', sign: ' ', words: '' },
} as const;

function Line({ line: { kind, number, text } }: { readonly line: CardLine }): VNode {
  const look = lineLooks[kind];
  return (
    <div class={`ln ${look.class}`}>
      <span class="g n">{kind === 'gap' ? '' : number}</span>
      <span class="sg" aria-hidden="true">
        {look.sign}
      </span>
      {look.words === '' ? null : <span class="sr">{look.words}</span>}
      <span class="t">{kind === 'gap' ? '…' : text}</span>
    </div>
  );
}

function ChangeButtons({ model, change }: { readonly model: CardModel; readonly change: CardChange }): VNode {
  const isDisabled = model.isBusy.value;
  const files = counted(change.files.length, 'file');
  const discard =
    change.sessionId === undefined ? null : (
      <Button isDisabled={isDisabled} onClick={() => model.discard([change])}>
        Discard
      </Button>
    );
  if (change.verdict !== 'broken') {
    return (
      <footer>
        <Button look="primary" isDisabled={isDisabled} onClick={() => model.commit(change)}>
          {`Commit ${files}`}
        </Button>
        {discard}
      </footer>
    );
  }
  const isAsked = model.confirming.value === change;
  return (
    <footer>
      <Button look="primary" isDisabled={isDisabled} onClick={() => model.askForFix(change)}>
        Ask for a fix
      </Button>
      {discard}
      <span class="grow" />
      <Button look="danger" isDisabled={isDisabled} onClick={() => model.commit(change)}>
        {isAsked ? `Commit, and break ${counted(change.brokenFiles, 'file')}` : 'Commit anyway…'}
      </Button>
    </footer>
  );
}

function Ranked({
  model,
  card,
}: {
  readonly model: CardModel;
  readonly card: WhatIfCard & { readonly kind: 'ranked' };
}): VNode {
  const [first] = card.ways;
  const changes = card.ways.map(({ change }) => change);
  return (
    <Frame title={`${card.ways.length} ways, best first`} note="not on disk">
      <ol class="ways">
        {card.ways.map(({ rank, reason, change }) => {
          const { kind, word } = verdictOf(change);
          const isOpen = model.opened.value === change.sessionId;
          const isFirst = rank === 1 && change.verdict === 'clean';
          return (
            <li key={change.sessionId}>
              <div class={`rk${rank === 1 ? ' first' : ''}`}>
                <span class="n">{rank}</span>
                <span class="cut strong">{change.title}</span>
                <span class="buttons">
                  {isFirst ? (
                    <Button
                      look="primary"
                      isDisabled={model.isBusy.value}
                      onClick={() => model.commit(change)}
                    >
                      Commit
                    </Button>
                  ) : null}
                  <Button
                    onClick={() => {
                      model.opened.value = isOpen ? undefined : change.sessionId;
                    }}
                  >
                    {isOpen ? 'Hide' : 'Show'}
                  </Button>
                </span>
                <span class="row sm second">
                  <Verdict kind={kind} size="small">
                    {word}
                  </Verdict>
                  <span class="muted cut">{`${sizeOf(change)}, ${reason}`}</span>
                </span>
              </div>
              {isOpen ? (
                <div class="way">
                  <Change change={change} />
                  <ChangeButtons model={model} change={change} />
                </div>
              ) : null}
            </li>
          );
        })}
      </ol>
      <footer>
        <span class="sm muted grow">{first ? `First: ${first.reason}.` : ''}</span>
        <Button look="quiet" isDisabled={model.isBusy.value} onClick={() => model.discard(changes)}>
          Discard all
        </Button>
      </footer>
    </Frame>
  );
}

function sizeOf({ files }: CardChange): string {
  const added = files.reduce((sum, file) => sum + file.added, 0);
  const removed = files.reduce((sum, file) => sum + file.removed, 0);
  return `${counted(files.length, 'file')}, +${added} −${removed}`;
}

function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}
