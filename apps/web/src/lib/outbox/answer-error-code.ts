import type { OutboxLine } from './types.ts'

/**
 * Returns the code of a rejected answer, which users can quote when they ask for help. The code depends on whether the last
 * change creates, updates or removes the answer.
 */
export const answerErrorCode = ({ base, entries }: Pick<OutboxLine, 'base' | 'entries'>): string => {
  if (entries.at(-1)?.change.kind === 'remove') return 'ERROR_DELETING_RECORD_RESPONSE'
  return base === null ? 'ERROR_CREATING_RECORD_RESPONSE' : 'ERROR_UPDATING_RECORD_RESPONSE'
}
