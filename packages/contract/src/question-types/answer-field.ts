/**
 * The name of the record's field on which the valid answers to a question depend. For a span question, this is the field with the
 * text. Null if there is no such field.
 */
export const answerFieldOf = (settings: object): string | null => {
  if ('field' in settings && typeof settings.field === 'string') return settings.field
  return 'choose_from' in settings && typeof settings.choose_from === 'string' ? settings.choose_from : null
}
