import { join } from 'node:path'
import { createClient } from '@postil/testkit/client.ts'
import { createFactories } from '@postil/testkit/factories.ts'
import { afterAll, expect, test } from 'vitest'
import { postil } from '../harness/cli.ts'
import type { Place } from '../harness/server.ts'
import { emptyPlace, OWNER, startServer, testEngine } from '../harness/server.ts'
import { addRecords, answered, writeAnswers } from './answering.ts'

const places: Place[] = []
const newPlace = async (): Promise<Place> => {
  const place = await emptyPlace('postgres')
  places.push(place)
  return place
}
afterAll(() => Promise.all(places.map((place) => place.drop())))

// NOTE: for the embedded store see backup
test.runIf(testEngine() === 'postgres')(
  'a backup of PostgreSQL has every answer that was confirmed before it began',
  async () => {
    const [source, target] = [await newPlace(), await newPlace()]
    const file = join(source.dataDir, 'one.backup')
    // One secret for both: with PostgreSQL the folder of the target has none of its own.
    const secret = { POSTIL_SECRET: 'one secret for both of the places' }
    const server = await startServer({ place: source, env: secret })
    const client = createClient(server.url, { api_key: OWNER.apiKey })
    const { id: dataset } = await createFactories(client).createDataset({ name: 'asked' })
    const writing = writeAnswers(client, await addRecords(client, dataset))
    await expect.poll(() => writing.confirmed.length).toBeGreaterThan(50)
    const before = [...writing.confirmed]
    expect(await postil(source, ['backup', file], secret)).toMatchObject({ code: 0, stderr: '' })
    const duringBackup = writing.confirmed.length - before.length
    await writing.stop()
    await server.stop()
    expect(duringBackup).toBeGreaterThan(0)

    expect(await postil(target, ['restore', file], secret)).toMatchObject({ code: 0, stderr: '' })
    const recounted = { code: 0, stdout: expect.stringContaining('in order') }
    expect(await postil(target, ['doctor'], secret)).toMatchObject(recounted)
    const restored = await startServer({ place: target, env: secret })
    const found = await answered(createClient(restored.url, { api_key: OWNER.apiKey }), dataset)
    expect(before.filter((id) => !found.has(id))).toEqual([])
    await restored.stop()
    expect(await postil(target, ['doctor'], secret)).toMatchObject(recounted)
  },
)
