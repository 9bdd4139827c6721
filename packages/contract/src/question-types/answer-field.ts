/** The field of a record on which it depends whether an answer to a question is valid, or null. */
export const answerFieldOf = (settings: object): string | null => {
  if ('field' in settings && typeof settings.field === 'string') return settings.field
  return 'choose_from' in settings && typeof settings.choose_from === 'string' ? settings.choose_from : null
}
