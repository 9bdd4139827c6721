import { Worker } from 'node:worker_threads'
import { entryUrl } from '#platform/entry.ts'
import { type Group, groupNotes, type Note } from './group.ts'

/** The number of notes up to which grouping takes less time than starting a thread. */
const FEW = 200

/** Groups notes without blocking the event loop. */
export const groupInThread = (notes: readonly Note[]): Promise<readonly Group[]> => {
  if (notes.length <= FEW) return Promise.resolve(groupNotes(notes))
  return new Promise((resolve, reject) => {
    const worker = new Worker(entryUrl('../features/notes/group-worker'), { workerData: notes, name: 'notes' })
    worker.once('message', resolve)
    worker.once('error', reject)
    worker.once('exit', () => reject(new Error('the thread that groups notes has exited')))
  })
}
