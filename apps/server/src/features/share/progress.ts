import { hasUnstorable } from '@postil/contract/wire/code-points.ts'
import { invalid } from '@postil/contract/wire/errors.ts'
import { toProblems } from '@postil/contract/wire/problems.ts'
import { uuid } from '@postil/contract/wire/scalars.ts'
import { z } from 'zod'

/** The progress of a user and their team, taken from the shared URL. It isn't verified. */
export type SharedProgress = {
  readonly dataset_id: string
  readonly dataset_name: string
  readonly user_name: string
  /** Percent, 0 to 100. */
  readonly team_progress: number
  readonly records_submitted: number
}

const MAX_NAME = 200

/** A single line of printable text, truncated to a readable length. */
const name = z.string().transform((text) => {
  const line = hasUnstorable(text) ? '' : text.replace(/[\p{Cc}\p{Cf}\s]+/gu, ' ').trim()
  return [...line].length > MAX_NAME ? `${[...line].slice(0, MAX_NAME).join('')}…` : line
})
const numberWithin = (max: number) =>
  z
    .string()
    .regex(/^\d{1,15}(\.\d{1,20})?$/)
    .transform((text) => Math.min(Number(text), max))

const Shared = z.object({
  dataset_id: uuid(),
  dataset_name: name,
  user_name: name,
  team_progress: numberWithin(100).default(0),
  records_submitted: numberWithin(1_000_000_000).default(0).transform(Math.floor),
})

/** @throws Problem `validation` that names the parameters */
export const readProgress = (query: unknown): SharedProgress => {
  const read = Shared.safeParse(query)
  if (!read.success) throw invalid(toProblems(read.error, 'query', query))
  return read.data
}

/** Formats a percentage for display, such as 42 or 42.5. */
export const percent = ({ team_progress }: SharedProgress): string => `${Math.round(team_progress * 10) / 10}`

/** Describes the user's achievement in words. */
export const achievement = ({ user_name, records_submitted }: SharedProgress): string => {
  const count = records_submitted.toLocaleString('en')
  const what = `${count} ${records_submitted === 1 ? 'record' : 'records'} submitted`
  return user_name === '' ? what : `${what} by ${user_name}`
}
