/** The parts of a prompt that are filled in for each record. */
export const promptParts = ['guidelines', 'questions', 'examples', 'fields'] as const

/** Used if a run has no prompt of its own. */
export const defaultPrompt = `You annotate the records of a dataset.

Guidelines:
{{guidelines}}

Questions:
{{questions}}

{{examples}}

Record:
{{fields}}`

/** How many records a dry run asks about. */
export const dryRunRecords = 20
