/** The question that is asked now, over everything else. */
import type { VNode } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { Button } from '../ui/button.tsx';
import type { DialogStore, OpenDialog } from './dialog-store.ts';
import { keepFocusInside } from './focus-trap.ts';

export function DialogLayer({ dialogs }: { readonly dialogs: DialogStore }): VNode | null {
  const open = dialogs.open.value;
  return open === undefined ? null : <Dialog key={open.question.title} open={open} />;
}

function Dialog({ open }: { readonly open: OpenDialog }): VNode {
  const { question, settle } = open;
  const [isChecked, setChecked] = useState(false);
  const [text, setText] = useState(question.field?.value ?? '');
  const safe = useRef<HTMLButtonElement>(null);
  const field = useRef<HTMLInputElement>(null);
  const before = useRef(document.activeElement);
  const answer = (given: string): void => {
    settle({ answer: given, isChecked, text });
    if (before.current instanceof HTMLElement) before.current.focus();
  };
  useLayoutEffect(() => {
    (field.current ?? safe.current)?.focus();
    const [from, to] = question.field?.select ?? [0, text.length];
    field.current?.setSelectionRange(from, to);
  }, []);
  const onKeyDown = (event: KeyboardEvent): void => {
    keepFocusInside(event);
    const given = answerOf(event, question, field.current);
    if (given === undefined) return;
    // The focus goes back to the text now: the key must not reach it.
    event.preventDefault();
    event.stopPropagation();
    answer(given);
  };
  return (
    <div
      class="scrim"
      onPointerDown={(event) => event.target === event.currentTarget && answer(question.safe)}
    >
      <div
        class="pal dialog"
        role="alertdialog"
        aria-modal="true"
        aria-label={question.title}
        onKeyDown={onKeyDown}
      >
        <h2 class="dialog-title">{question.title}</h2>
        {question.body}
        {question.field !== undefined && (
          <input
            ref={field}
            class="inp"
            aria-label={question.field.label}
            value={text}
            spellcheck={false}
            onInput={({ currentTarget }) => setText(currentTarget.value)}
          />
        )}
        <div class="row dialog-buttons">
          {question.choices.map((choice) => (
            <Button
              key={choice.answer}
              look={choice.look ?? 'plain'}
              onClick={() => answer(choice.answer)}
              {...(choice.answer === question.safe && { focusRef: safe })}
            >
              {choice.title}
            </Button>
          ))}
        </div>
        {question.checkbox !== undefined && (
          <label class="row sm muted">
            <input
              type="checkbox"
              class="check"
              checked={isChecked}
              onChange={({ currentTarget }) => setChecked(currentTarget.checked)}
            />
            {question.checkbox}
          </label>
        )}
      </div>
    </div>
  );
}

/** The answer that a key gives; undefined: none. */
function answerOf(
  { key, target }: KeyboardEvent,
  question: OpenDialog['question'],
  field: HTMLInputElement | null,
): string | undefined {
  if (key === 'Escape') return question.safe;
  if (key !== 'Enter' || target !== field || field === null) return undefined;
  return question.choices.find(({ look }) => look === 'primary')?.answer ?? question.safe;
}
