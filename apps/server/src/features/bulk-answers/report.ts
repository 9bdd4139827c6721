import { reportCell } from '@postil/contract/files/csv-cell.ts'
import { fileTypes } from '@postil/contract/files/files.ts'
import type { Actor } from '#platform/auth/actor.ts'
import type { Store } from '#platform/db/store.ts'
import { FileStream } from '#platform/http/answers/answers.ts'
import { type ReportedRecord, type ReportPage, reportAfter } from './queries.ts'

export type ReportFormat = 'jsonl' | 'csv'

type Printer = { readonly heading: string; readonly row: (record: ReportedRecord) => string }
const printers: { readonly [F in ReportFormat]: Printer } = {
  jsonl: { heading: '', row: (record) => `${JSON.stringify(record)}\n` },
  csv: {
    heading: 'record_id,external_id,outcome,reason\r\n',
    row: ({ record_id, external_id, outcome, reason }) =>
      `${[record_id, external_id, outcome, reason].map(reportCell).join(',')}\r\n`,
  },
}

type ReportArgs = { readonly dataset_id: string; readonly job_id: string; readonly format: ReportFormat }

/**
 * Returns a file that lists the current outcome for each record of a job. The job must be the caller's own. @throws Problem
 * not_found, forbidden
 */
export const reportOf = async (
  { store }: { readonly store: Store },
  user: Actor,
  { format, ...which }: ReportArgs,
): Promise<FileStream> => {
  const pageAfter = (after: number): Promise<ReportPage> => store.read(reportAfter, { user, ...which, after })
  const first = await pageAfter(-1)
  async function* chunks(): AsyncGenerator<Uint8Array> {
    const { heading, row } = printers[format]
    if (heading !== '') yield Buffer.from(heading)
    for (let page = first; page.lastPart !== null; page = await pageAfter(page.lastPart)) {
      yield Buffer.from(page.rows.map(row).join(''))
    }
  }
  return new FileStream(`answers-report.${fileTypes[format].extension}`, fileTypes[format].contentType, chunks())
}
