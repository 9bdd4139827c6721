import { fileStore } from '#platform/files/file-store.ts'
import { jobKind } from '#platform/jobs/kinds.ts'
import { findJob } from '#platform/jobs/operations.ts'

type Input = { readonly isDone: boolean }

/** Removes the files of a deleted dataset. The dataset's ID is in the job's arguments. */
export const removeFiles = jobKind<Input>('dataset.remove-files', async (_db, _job, { isDone }) => ({ finished: isDone }), {
  remote: true,
  prepare: async ({ store, config }, id) => {
    const job = await store.read(findJob, { id })
    const dataset = job?.args['dataset_id']
    return { isDone: typeof dataset !== 'string' || (await (await fileStore(config)).remove(dataset)) }
  },
  ended: async () => undefined,
})
