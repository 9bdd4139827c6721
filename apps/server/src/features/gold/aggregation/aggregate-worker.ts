import { parentPort, workerData } from 'node:worker_threads'
import { type AggregationInput, aggregate } from './aggregate.ts'

const port = parentPort
if (port === null) throw new Error('this module must run in a worker thread')
port.postMessage((workerData as readonly AggregationInput[]).map(aggregate))
