import type { Home } from '@postil/contract/home.ts'
import { freeName } from '#features/examples/public.ts'

/** Leaves room for the number that makes a name unique. */
const maxStemLength = 190

/** Returns a file's name without its extension, which is the default name of a dataset. */
export const stemOf = (name: string): string => (name.replace(/\.[a-z0-9]+$/i, '') || name).slice(0, maxStemLength)

/** Returns the names of all datasets, whatever their workspace, because a form can still change the workspace. */
export const takenNames = ({ datasets }: Home): ReadonlySet<string> => new Set(datasets.map(({ dataset }) => dataset.name))

/** Returns the name for a new dataset, with a number if it is taken. */
export const freeNameIn = (home: Home, name: string): string => freeName(name, takenNames(home))
