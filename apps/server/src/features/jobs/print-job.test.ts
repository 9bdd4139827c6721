import { expect, it } from 'vitest'
import type { JobRow } from '#platform/jobs/operations.ts'
import { printJob } from './print-job.ts'

const job: JobRow = {
  id: '1',
  kind: 'imports.file',
  user_id: null,
  args: {},
  state: 'failed',
  done: 0,
  total: null,
  reason: 'The file or its dataset is gone',
  reason_parts: null,
}

it('shows the stored sentence of a job that an earlier version failed, without codes', () => {
  expect(printJob(job)).toMatchObject({ reason: job.reason, reason_parts: [] })
})

it('shows the stored codes', () => {
  const reason_parts = [{ code: 'fileGone', params: {} }]
  expect(printJob({ ...job, reason_parts })).toMatchObject({ reason_parts })
})

it('shows no codes for a job without a reason', () => {
  expect(printJob({ ...job, state: 'finished', reason: null })).not.toHaveProperty('reason_parts')
})
