import { parentPort, workerData } from 'node:worker_threads'
import { groupNotes, type Note } from './group.ts'

const port = parentPort
if (port === null) throw new Error('this module must run in a worker thread')
port.postMessage(groupNotes(workerData as readonly Note[]))
