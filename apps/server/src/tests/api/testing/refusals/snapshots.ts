import { newSnapshot } from '../actions/snapshots.ts'
import { must } from '../fixture.ts'
import { empty, inRich, nobody, type Refusal, uniqueName } from './refusal.ts'

const MAX_COUNT = 100

export const snapshotRefusals: readonly Refusal[] = [
  {
    id: 'snapshots.create',
    why: 'the name is taken',
    status: 409,
    sent: async (fixture) => {
      const body = { name: uniqueName('taken') }
      must(await fixture.owner.post(`/datasets/${fixture.rich.dataset.id}/snapshots`, body))
      return { ...inRich(fixture), body }
    },
  },
  {
    id: 'snapshots.create',
    why: 'there are already a hundred',
    status: 422,
    sent: async (fixture) => {
      const { params } = await empty(fixture)
      for (let i = 0; i < MAX_COUNT; i += 1)
        must(await fixture.owner.post(`/datasets/${params.dataset_id}/snapshots`, { name: `snapshot ${i}` }))
      return { params, body: { name: 'one more' } }
    },
  },
  {
    id: 'snapshots.rename',
    why: 'the name is taken',
    status: 409,
    sent: async (fixture) => {
      const body = { name: uniqueName('taken') }
      must(await fixture.owner.post(`/datasets/${fixture.rich.dataset.id}/snapshots`, body))
      return { ...(await newSnapshot(fixture)), body }
    },
  },
  ...(['snapshots.rename', 'snapshots.delete'] as const).map(
    (id): Refusal => ({
      id,
      why: 'the snapshot does not exist',
      status: 404,
      sent: (fixture) => ({
        params: { ...inRich(fixture).params, snapshot_id: nobody },
        ...(id === 'snapshots.rename' && { body: { name: 'a name' } }),
      }),
    }),
  ),
]
