import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { dataset } from '../../bench/data/packages.ts'

/** The prefix of every third description. It makes the counts of code points and UTF-16 units differ. */
const SEARCH_WORD = '📦 '
const SEARCH_WORD_LENGTH = [...SEARCH_WORD].length

export type JobRecord = Awaited<ReturnType<typeof jobData>>['records'][number]
export type Answer = JobRecord['answer']

/** The real records of the benchmarks. `SEARCH_WORD` is added before every third description, and its spans are moved. */
export const jobData = async (count: number) => {
  const { settings, records } = await dataset(count)
  const all = await Array.fromAsync(records())
  const taken = all.map((record, index) => {
    const { name, description } = record.fields
    if (index % 3 !== 0) return record
    const mentions = record.answer.mentions.map(({ label, start, end }) => ({
      label,
      start: start + SEARCH_WORD_LENGTH,
      end: end + SEARCH_WORD_LENGTH,
    }))
    return { ...record, fields: { name, description: SEARCH_WORD + description }, answer: { ...record.answer, mentions } }
  })
  return { settings, records: taken }
}

export type Annotator = { readonly username: string; readonly password: string }

export type Plan = {
  readonly workspace: string
  readonly dataset: string
  readonly users: readonly Annotator[]
  readonly min_submitted: number
}

/** Writes the plan for `create.py`, and the files with its settings and records, to a folder. @returns the path of the plan */
export const writePlan = (folder: string, plan: Plan, { settings, records }: Awaited<ReturnType<typeof jobData>>): string => {
  const settings_file = join(folder, 'settings.json')
  const records_file = join(folder, 'records.jsonl')
  const file = join(folder, 'plan.json')
  writeFileSync(settings_file, JSON.stringify(settings))
  writeFileSync(records_file, records.map((record) => `${JSON.stringify(record)}\n`).join(''))
  writeFileSync(file, JSON.stringify({ ...plan, settings_file, records_file }))
  return file
}
