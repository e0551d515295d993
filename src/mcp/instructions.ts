/** The instructions for a connecting agent: when to use which tool. Short, since every conversation pays for it. */
export const instructions = `Forerun shows what an edit would do before it happens: the edit is shown to the live language server in memory, and the answer is the exact diagnostics it introduces and resolves. Nothing is written until you say so.

Before editing: blast_radius for a file others depend on, then preview_edit (scope "workspace" finds breakage elsewhere). Preview and write in one: safe_apply_edit. Afterwards: get_diagnostics.

Structure → list_symbols. By name → find_symbol. Usages → find_references. Meaning → inspect_symbol. Who calls → find_callers. Everything on one symbol → explore_symbol. Replace a body → replace_symbol_body. Delete unused → safe_delete_symbol. Fixes → suggest_fixes. Undo → undo_last_commit.

Edits that belong together: create_simulation_session, simulate_edit each, evaluate_session, then commit_session (apply: true writes) or discard_session. Alternatives: one session each, then compare_sessions.

Verdicts: clean is proved, broken was seen, unknown could not be proved; doubts say why. Lines and columns count from 1. Servers start by themselves. Workflows are prompts named lsp-*: prompts/get <skill>.`;
