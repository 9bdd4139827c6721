const maxNameLength = 200

/** A file's name without its ending: what a dataset from it is called unless somebody says otherwise. */
export const stemOf = (name: string): string => (name.replace(/\.[a-z0-9]+$/i, '') || name).slice(0, maxNameLength)
