import type { NoteGroup } from '@postil/contract/notes.ts'
import { formatShare } from '../parts/format.ts'

/** Returns text as a single line. Breaks up prompt placeholders that people have written in the text. */
const withoutParts = (text: string): string => text.replaceAll('{{', '{ {').replace(/\s+/gu, ' ').trim()

/**
 * Returns a prompt for a model run. The prompt lists the groups with examples, and contains the placeholders that a run fills in
 * for each record.
 * @param intro explains the list. @param countOf prints a number of records
 */
export const rubricOf = (groups: readonly NoteGroup[], intro: string, countOf: (group: NoteGroup) => string): string => {
  const lines = groups.map((group, i) => {
    const { low, high, value } = group.share
    const share = `${formatShare(value, 1)}, ${formatShare(low, 1)} – ${formatShare(high, 1)}`
    const examples = group.examples.slice(1).map(({ text }) => `   - ${withoutParts(text)}`)
    return [`${i + 1}. ${withoutParts(group.text)} (${countOf(group)}, ${share})`, ...examples].join('\n')
  })
  return `{{guidelines}}\n\n${intro}\n\n${lines.join('\n')}\n\n{{questions}}\n\n{{examples}}\n\n{{fields}}\n`
}
