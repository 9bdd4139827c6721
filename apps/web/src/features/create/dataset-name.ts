import type { Home } from '@postil/contract/home.ts'
import { freeName } from '#features/examples/public.ts'

/** Leaves room for the number that makes a name unique. */
const maxStemLength = 190

/** Returns a file's name without its extension. A new dataset gets this name by default. */
export const stemOf = (name: string): string => (name.replace(/\.[a-z0-9]+$/i, '') || name).slice(0, maxStemLength)

/** Returns the names of all datasets in all workspaces, because the user can still change the workspace in the form. */
export const takenNames = ({ datasets }: Home): ReadonlySet<string> => new Set(datasets.map(({ dataset }) => dataset.name))

/** Returns a free name for a new dataset: the given name, with a number if the name is taken. */
export const freeNameIn = (home: Home, name: string): string => freeName(name, takenNames(home))
