import { uploadInParts } from '../imports.ts'
import type { Refusal } from './refusal.ts'

const CSV = { 'content-type': 'text/csv' }

export const uploadRefusals: readonly Refusal[] = [
  {
    id: 'uploads.begin',
    why: 'the format is unknown',
    status: 422,
    sent: () => ({ body: { name: 'notes.doc', size: 10 } }),
  },
  {
    id: 'uploads.send',
    why: 'the part does not start at the end of the file',
    status: 409,
    sent: async (fixture) => ({ params: await uploadInParts(fixture, 'owner'), query: { at: '1' }, body: 'a', headers: CSV }),
  },
  {
    id: 'uploads.send',
    why: 'the upload is already complete',
    status: 409,
    sent: async (fixture) => {
      const params = await uploadInParts(fixture, 'owner', true)
      await fixture.owner.post(`/me/imports/uploads/${params.file_id}/finish`)
      return { params, query: { at: '0' }, body: 'a', headers: CSV }
    },
  },
  {
    id: 'uploads.send',
    why: 'the part exceeds the file size',
    status: 422,
    sent: async (fixture) => ({
      params: await uploadInParts(fixture, 'owner'),
      query: { at: '0' },
      body: 'a'.repeat(10_000),
      headers: CSV,
    }),
  },
  {
    id: 'uploads.finish',
    why: 'the upload is incomplete',
    status: 409,
    sent: async (fixture) => ({ params: await uploadInParts(fixture, 'owner') }),
  },
  {
    id: 'uploads.drop',
    why: 'the upload is already complete',
    status: 409,
    sent: async (fixture) => {
      const params = await uploadInParts(fixture, 'owner', true)
      await fixture.owner.post(`/me/imports/uploads/${params.file_id}/finish`)
      return { params }
    },
  },
]
