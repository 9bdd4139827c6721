import { parentPort, workerData } from 'node:worker_threads'
import { groupAll, type NotesToGroup } from './group-all.ts'

const port = parentPort
if (port === null) throw new Error('this module must run in a worker thread')
port.postMessage(groupAll(workerData as NotesToGroup))
