/** The messages at the bottom right. */
import type { VNode } from 'preact';
import { Button } from '../ui/button.tsx';
import { Icon } from '../ui/icon.tsx';
import type { ShownToast, ToastStore } from './toast-store.ts';

export function ToastLayer({ toasts }: { readonly toasts: ToastStore }): VNode {
  return (
    <section
      class="toasts"
      aria-label="Messages"
      data-region="toasts"
      onMouseEnter={() => toasts.pause()}
      onMouseLeave={() => toasts.resume()}
      onFocusCapture={() => toasts.pause()}
      onBlurCapture={() => toasts.resume()}
    >
      {toasts.shown.value.map((toast) => (
        <ToastCard key={toast.id} toast={toast} toasts={toasts} />
      ))}
    </section>
  );
}

function ToastCard({ toast, toasts }: { readonly toast: ShownToast; readonly toasts: ToastStore }): VNode {
  const { action } = toast;
  return (
    <div class="toast" role={toast.isError === true ? 'alert' : 'status'}>
      {toast.icon !== undefined && (
        <span class={`toast-icon c-${toast.colour ?? 'checking'}`}>
          <Icon name={toast.icon} />
        </span>
      )}
      <div class="grow stack">
        <span class="medium">{toast.title}</span>
        {toast.detail !== undefined && <span class="sm muted">{toast.detail}</span>}
      </div>
      {action !== undefined && (
        <Button
          size="small"
          onClick={() => {
            toasts.close(toast.id);
            action.run();
          }}
        >
          {action.title}
        </Button>
      )}
      <button type="button" class="ib s" aria-label="Close" onClick={() => toasts.close(toast.id)}>
        <Icon name="close" size="small" />
      </button>
    </div>
  );
}
