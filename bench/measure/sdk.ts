import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { preparePythonVenv } from '../../scripts/lib/python.mjs'
import type { DataSet } from '../data/packages.ts'
import type { BenchDataset, BenchServer } from '../lib/bench-server.ts'
import type { Line } from '../lib/stats.ts'
import { BATCH } from './bulk.ts'

const run = promisify(execFile)
type Measured = Pick<Line, 'what' | 'value' | 'unit' | 'bare' | 'ratio' | 'aim' | 'met'>

/**
 * Measures how fast the published SDK logs all records (sends them to the server) and reads them. `bare` is the speed of logging
 * if recorded responses replace the server.
 */
export const sdkLines = async (server: BenchServer, dataset: BenchDataset, data: DataSet): Promise<Measured[]> => {
  const python = await preparePythonVenv('sdk-venv', 'e2e/sdk/requirements.txt')
  const script = join(import.meta.dirname, '..', 'sdk', 'log_and_read.py')
  const env = {
    ...process.env,
    ARGILLA_API_URL: server.url,
    ARGILLA_API_KEY: server.apiKey,
    HF_HUB_OFFLINE: '1',
    PYTHONDONTWRITEBYTECODE: '1',
  }
  const { stdout } = await run(python, ['-W', 'ignore', script, data.recordsFile, dataset.id, String(BATCH)], {
    env,
    maxBuffer: 2 ** 26,
  })
  const { log, ceiling, read } = JSON.parse(stdout.trim().split('\n').at(-1) ?? '') as {
    log: number
    ceiling: number
    read: number
  }
  return [
    {
      what: 'SDK: records.log',
      value: log,
      unit: 'records/s',
      bare: ceiling,
      ratio: log / ceiling,
      aim: '≥ 1500',
      met: log >= 1500,
    },
    { what: 'SDK: read all', value: read, unit: 'records/s' },
  ]
}
