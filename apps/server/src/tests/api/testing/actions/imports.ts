import type { Who } from '../fixture.ts'
import {
  mapping,
  plan,
  rows,
  started,
  storedImage,
  upload,
  uploadInParts,
  uploadOwn,
  uploadOwnWorkbook,
  uploadWorkbook,
} from '../imports.ts'
import type { Sent } from '../send.ts'
import { type Action, admins, allAdmins, members } from './action.ts'

const uploader = (who: Who): Who => (allAdmins.includes(who) ? who : 'owner')
/** An action on a file that is uploaded in parts. */
const inParts = (id: string, { whole = false, ...sent }: Omit<Sent, 'params'> & { readonly whole?: boolean } = {}): Action => ({
  id,
  allowed: allAdmins,
  personal: true,
  missing: 'found first',
  request: async (fixture, who) => ({ params: await uploadInParts(fixture, uploader(who), whole), ...sent }),
  echoes: true,
})

export const importActions: readonly Action[] = [
  { id: 'uploads.begin', allowed: allAdmins, request: () => ({ body: { name: 'rows.csv', size: 10 } }) },
  {
    id: 'uploads.begin',
    what: 'for a dataset',
    allowed: admins,
    request: (fixture) => ({ body: { name: 'rows.csv', size: 10, dataset_id: fixture.rich.dataset.id } }),
  },
  inParts('uploads.get'),
  inParts('uploads.send', { query: { at: '0' }, body: 'a', headers: { 'content-type': 'text/csv' } }),
  inParts('uploads.finish', { whole: true }),
  inParts('uploads.drop'),
  {
    id: 'imports.upload',
    allowed: admins,
    missing: 'found first',
    request: (fixture) => ({
      params: { dataset_id: fixture.rich.dataset.id },
      query: { name: 'rows.csv' },
      body: rows(fixture),
      headers: { 'content-type': 'text/csv' },
    }),
  },
  {
    id: 'imports.sheet',
    allowed: admins,
    missing: 'found first',
    request: async (fixture) => ({ params: await uploadWorkbook(fixture), body: { sheet: 'Notes' } }),
  },
  {
    id: 'imports.sheet_mine',
    allowed: allAdmins,
    personal: true,
    missing: 'found first',
    request: async (fixture, who) => ({
      params: await uploadOwnWorkbook(fixture, allAdmins.includes(who) ? who : 'owner'),
      body: { sheet: 'Notes' },
    }),
    echoes: true,
  },
  {
    id: 'imports.read_as',
    allowed: admins,
    missing: 'found first',
    request: async (fixture) => ({ params: await upload(fixture), body: { as: 'plain' } }),
  },
  {
    id: 'imports.read_as_mine',
    allowed: allAdmins,
    personal: true,
    missing: 'found first',
    request: async (fixture, who) => ({ params: await uploadOwn(fixture, uploader(who)), body: { as: 'plain' } }),
    echoes: true,
  },
  {
    id: 'imports.reading',
    allowed: admins,
    missing: 'found first',
    request: async (fixture) => ({ params: await upload(fixture), body: { encoding: 'utf-8' } }),
  },
  {
    id: 'imports.reading_mine',
    allowed: allAdmins,
    personal: true,
    missing: 'found first',
    request: async (fixture, who) => ({ params: await uploadOwn(fixture, uploader(who)), body: { heading_row: 1 } }),
    echoes: true,
  },
  {
    id: 'files.stored',
    allowed: members,
    missing: 'found first',
    request: async (fixture) => ({ params: await storedImage(fixture) }),
  },
  {
    id: 'files.link',
    allowed: members,
    missing: 'found first',
    request: async (fixture) => ({ params: await storedImage(fixture) }),
  },
  {
    id: 'imports.check',
    allowed: admins,
    missing: 'found first',
    request: async (fixture) => ({ params: await upload(fixture), body: { mapping: mapping(fixture) } }),
  },
  {
    id: 'imports.start',
    allowed: admins,
    missing: 'found first',
    request: async (fixture) => ({ params: await upload(fixture), body: { mapping: mapping(fixture) } }),
  },
  {
    id: 'imports.report',
    allowed: admins,
    missing: 'found first',
    request: async (fixture) => ({ params: await upload(fixture) }),
  },
  {
    id: 'imports.list',
    allowed: admins,
    missing: 'found first',
    request: (fixture) => ({ params: { dataset_id: fixture.rich.dataset.id } }),
  },
  {
    id: 'imports.upload_mine',
    allowed: allAdmins,
    request: (fixture) => ({ query: { name: 'rows.csv' }, body: rows(fixture), headers: { 'content-type': 'text/csv' } }),
    echoes: true,
  },
  {
    id: 'imports.check_mine',
    allowed: allAdmins,
    personal: true,
    missing: 'found first',
    request: async (fixture, who) => ({
      params: await uploadOwn(fixture, allAdmins.includes(who) ? who : 'owner'),
      body: plan(fixture),
    }),
    echoes: true,
  },
  {
    id: 'jobs.cancel',
    what: 'that they started',
    allowed: admins,
    personal: true,
    missing: 'found first',
    request: async (fixture, who) => ({ params: { job_id: (await started(fixture, who === 'adminIn' ? who : 'owner')).id } }),
  },
  {
    id: 'jobs.cancel',
    what: 'that the owner started',
    allowed: ['owner'],
    request: async (fixture) => ({ params: { job_id: (await started(fixture, 'owner')).id } }),
  },
]
