/** Whether the answers to a question are notes, which are grouped and turned into labels. */
export const takesNotes = (settings: object): boolean => Reflect.get(settings, 'codes') === true
