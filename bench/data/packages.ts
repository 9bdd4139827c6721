/**
 * Generates a real dataset from Debian's package index: one file of settings and one of records, in `.cache/data`.
 *
 * npx node bench/data/packages.ts [--records 10000] [--fresh]
 */
import { once } from 'node:events'
import { createReadStream, createWriteStream, existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { parseArgs } from 'node:util'
import { readIndex } from './debian-index.ts'
import type { DataRecord } from './make-records.ts'
import { makeRecords } from './make-records.ts'
import type { DataSettings } from './settings.ts'
import { settingsOf } from './settings.ts'

const folder = join(import.meta.dirname, '..', '..', '.cache', 'data')

export type DataSet = {
  readonly settingsFile: string
  readonly recordsFile: string
  readonly settings: DataSettings
  /** Reads the records one by one, from the first. */
  readonly records: () => AsyncGenerator<DataRecord>
}

async function* readLines(file: string): AsyncGenerator<DataRecord> {
  for await (const line of createInterface({ input: createReadStream(file), crlfDelay: Number.POSITIVE_INFINITY })) {
    yield JSON.parse(line) as DataRecord
  }
}

const writeDataSet = async (settingsFile: string, recordsFile: string, count: number): Promise<void> => {
  mkdirSync(folder, { recursive: true })
  const packages = await readIndex()
  const settings = settingsOf(packages)
  const partial = `${recordsFile}.${process.pid}`
  const out = createWriteStream(partial)
  for (const record of makeRecords(packages, settings, count)) {
    if (!out.write(`${JSON.stringify(record)}\n`)) await once(out, 'drain')
  }
  out.end()
  await once(out, 'finish')
  writeFileSync(settingsFile, `${JSON.stringify(settings, null, 1)}\n`)
  renameSync(partial, recordsFile)
}

/** Returns a dataset with this number of records. The first call generates it; later calls read it from the cache. */
export const dataset = async (count = 10_000, { fresh = false } = {}): Promise<DataSet> => {
  const settingsFile = join(folder, `debian-${count}.settings.json`)
  const recordsFile = join(folder, `debian-${count}.jsonl`)
  if (fresh || !existsSync(recordsFile) || !existsSync(settingsFile)) await writeDataSet(settingsFile, recordsFile, count)
  const settings = JSON.parse(readFileSync(settingsFile, 'utf8')) as DataSettings
  return { settingsFile, recordsFile, settings, records: () => readLines(recordsFile) }
}

if (import.meta.main) {
  const { values } = parseArgs({
    options: { records: { type: 'string', default: '10000' }, fresh: { type: 'boolean', default: false } },
  })
  const count = Number(values.records)
  try {
    if (!Number.isSafeInteger(count) || count < 1) throw new Error('--records must be a whole number greater than 0.')
    const made = await dataset(count, { fresh: values.fresh })
    console.log(`${made.recordsFile}\n${made.settingsFile}`)
  } catch (error) {
    console.error((error as Error).message)
    process.exitCode = 1
  }
}
