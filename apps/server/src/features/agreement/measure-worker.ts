import { parentPort, workerData } from 'node:worker_threads'
import { type MeasureInput, measure } from './measures/measure.ts'

const port = parentPort
if (port === null) throw new Error('this module must run in a worker thread')
port.postMessage((workerData as readonly MeasureInput[]).map(measure))
