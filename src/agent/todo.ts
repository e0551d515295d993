/** The todo list that a model keeps while it works. */
export const todoStates = ['pending', 'in_progress', 'completed'] as const;

export interface Todo {
  readonly content: string;
  readonly status: (typeof todoStates)[number];
}

export function renderTodos(todos: readonly Todo[]): string {
  return todos.map(({ content, status }) => `${marks[status]} ${content}`).join('\n');
}

const marks: Readonly<Record<Todo['status'], string>> = {
  pending: '[ ]',
  in_progress: '[~]',
  completed: '[x]',
};
