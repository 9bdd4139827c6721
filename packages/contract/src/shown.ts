import { z } from 'zod'
import { text } from './wire/scalars.ts'

const name = text({ min: 1, max: 200 })

/** The compared fields by question name, in the order in which the author of an answer saw them. */
export const Shown = z.record(name, z.tuple([name, name]))
