/** What a connecting agent is told first: when to reach for which tool. Kept short, since every conversation pays for it. */
export const instructions = `Forerun shows what an edit would do before it happens: it applies the edit in memory, asks the live language server, and answers the exact diagnostics it introduces and resolves. Nothing is written until you say so.

Before you edit: preview_edit (scope "workspace" also finds breakage in other files). To preview and write in one step: safe_apply_edit, which refuses edits that introduce errors. After an edit: get_diagnostics.

Several edits that belong together: create_simulation_session, simulate_edit for each, evaluate_session, then commit_session (apply: true writes; otherwise you get a patch) or discard_session. Edits in order, measured after each: simulate_chain. Alternatives against each other: one session per alternative, then compare_sessions.

Read the verdict: clean is proved, broken was seen, unknown means it could not be proved in time; doubts say why. Lines and columns you send are counted from 1. Servers start by themselves; detect_lsp_servers says what is installed.

Whole workflows (rename, refactor, verify, audit and more) are prompts; their names begin with lsp-.`;
