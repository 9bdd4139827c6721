/** The name of the field that determines which answers to a question are valid. Null if no field does. */
export const answerFieldOf = (settings: object): string | null => {
  if ('field' in settings && typeof settings.field === 'string') return settings.field
  return 'choose_from' in settings && typeof settings.choose_from === 'string' ? settings.choose_from : null
}
