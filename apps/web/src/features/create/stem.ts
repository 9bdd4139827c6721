const maxNameLength = 200

/** Returns a file's name without its extension, which is the default name of a dataset. */
export const stemOf = (name: string): string => (name.replace(/\.[a-z0-9]+$/i, '') || name).slice(0, maxNameLength)
