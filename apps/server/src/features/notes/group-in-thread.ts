import { Worker } from 'node:worker_threads'
import { entryUrl } from '#platform/entry.ts'
import type { Group } from './group.ts'
import { groupAll, type NotesToGroup } from './group-all.ts'

/** The number of notes up to which grouping takes less time than starting a thread. */
const FEW = 200

/** Groups notes without blocking the event loop. */
export const groupInThread = (given: NotesToGroup): Promise<readonly Group[]> => {
  if (given.notes.length <= FEW) return Promise.resolve(groupAll(given))
  return new Promise((resolve, reject) => {
    const worker = new Worker(entryUrl('../features/notes/group-worker'), {
      workerData: given,
      transferList: given.vectors === null ? [] : [given.vectors.numbers.buffer as ArrayBuffer],
      name: 'notes',
    })
    worker.once('message', resolve)
    worker.once('error', reject)
    worker.once('exit', () => reject(new Error('the thread that groups notes has exited')))
  })
}
