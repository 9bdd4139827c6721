import {
  mapping,
  plan,
  rows,
  started,
  storedImage,
  upload,
  uploadInParts,
  uploadMine,
  uploadMyWorkbook,
  uploadWorkbook,
} from '../imports.ts'
import type { Sent } from '../send.ts'
import type { Who } from '../stage.ts'
import { type Action, admins, allAdmins, members } from './action.ts'

const uploader = (who: Who): Who => (allAdmins.includes(who) ? who : 'owner')
/** What is done with a file that arrives in parts. */
const inParts = (id: string, { whole = false, ...sent }: Omit<Sent, 'params'> & { readonly whole?: boolean } = {}): Action => ({
  id,
  allowed: allAdmins,
  personal: true,
  missing: 'found first',
  request: async (stage, who) => ({ params: await uploadInParts(stage, uploader(who), whole), ...sent }),
  echoes: true,
})

export const importActions: readonly Action[] = [
  { id: 'uploads.begin', allowed: allAdmins, request: () => ({ body: { name: 'rows.csv', size: 10 } }) },
  {
    id: 'uploads.begin',
    what: 'for a dataset',
    allowed: admins,
    request: (stage) => ({ body: { name: 'rows.csv', size: 10, dataset_id: stage.rich.dataset.id } }),
  },
  inParts('uploads.get'),
  inParts('uploads.send', { query: { at: '0' }, body: 'a', headers: { 'content-type': 'text/csv' } }),
  inParts('uploads.finish', { whole: true }),
  inParts('uploads.drop'),
  {
    id: 'imports.upload',
    allowed: admins,
    missing: 'found first',
    request: (stage) => ({
      params: { dataset_id: stage.rich.dataset.id },
      query: { name: 'rows.csv' },
      body: rows(stage),
      headers: { 'content-type': 'text/csv' },
    }),
  },
  {
    id: 'imports.sheet',
    allowed: admins,
    missing: 'found first',
    request: async (stage) => ({ params: await uploadWorkbook(stage), body: { sheet: 'Notes' } }),
  },
  {
    id: 'imports.sheet_mine',
    allowed: allAdmins,
    personal: true,
    missing: 'found first',
    request: async (stage, who) => ({
      params: await uploadMyWorkbook(stage, allAdmins.includes(who) ? who : 'owner'),
      body: { sheet: 'Notes' },
    }),
    echoes: true,
  },
  {
    id: 'files.stored',
    allowed: members,
    missing: 'found first',
    request: async (stage) => ({ params: await storedImage(stage) }),
  },
  {
    id: 'files.link',
    allowed: members,
    missing: 'found first',
    request: async (stage) => ({ params: await storedImage(stage) }),
  },
  {
    id: 'imports.check',
    allowed: admins,
    missing: 'found first',
    request: async (stage) => ({ params: await upload(stage), body: { mapping: mapping(stage) } }),
  },
  {
    id: 'imports.start',
    allowed: admins,
    missing: 'found first',
    request: async (stage) => ({ params: await upload(stage), body: { mapping: mapping(stage) } }),
  },
  { id: 'imports.report', allowed: admins, missing: 'found first', request: async (stage) => ({ params: await upload(stage) }) },
  {
    id: 'imports.list',
    allowed: admins,
    missing: 'found first',
    request: (stage) => ({ params: { dataset_id: stage.rich.dataset.id } }),
  },
  {
    id: 'imports.upload_mine',
    allowed: allAdmins,
    request: (stage) => ({ query: { name: 'rows.csv' }, body: rows(stage), headers: { 'content-type': 'text/csv' } }),
    echoes: true,
  },
  {
    id: 'imports.check_mine',
    allowed: allAdmins,
    personal: true,
    missing: 'found first',
    request: async (stage, who) => ({
      params: await uploadMine(stage, allAdmins.includes(who) ? who : 'owner'),
      body: plan(stage),
    }),
    echoes: true,
  },
  {
    id: 'jobs.cancel',
    what: 'that they started',
    allowed: admins,
    personal: true,
    missing: 'found first',
    request: async (stage, who) => ({ params: { job_id: (await started(stage, who === 'adminIn' ? who : 'owner')).id } }),
  },
  {
    id: 'jobs.cancel',
    what: 'that the owner started',
    allowed: ['owner'],
    request: async (stage) => ({ params: { job_id: (await started(stage, 'owner')).id } }),
  },
]
