import type { Field } from '@postil/contract/fields.ts'
import type { MetadataProperty } from '@postil/contract/metadata-properties.ts'
import type { Question } from '@postil/contract/questions.ts'
import type { VectorSettings } from '@postil/contract/vectors-settings.ts'
import type { Actor } from '#platform/auth/actor.ts'
import { query } from '#platform/db/operations.ts'
import { schemaPolicy } from './policy.ts'
import {
  fieldRows,
  metadataPropertyRows,
  printField,
  printMetadataProperty,
  printQuestion,
  printVectorSettings,
  questionRows,
  vectorSettingsRows,
} from './rows.ts'
import { readableDataset } from './scope.ts'

type OfDataset = { readonly user: Actor; readonly dataset_id: string }

/** @throws Problem not_found, forbidden */
export const listFields = query('fields.list', async (db, { user, dataset_id }: OfDataset): Promise<Field[]> => {
  await readableDataset(db, dataset_id, user)
  return (await fieldRows(db, dataset_id)).map(printField)
})

/** @throws Problem not_found, forbidden */
export const listQuestions = query('questions.list', async (db, { user, dataset_id }: OfDataset): Promise<Question[]> => {
  await readableDataset(db, dataset_id, user)
  return (await questionRows(db, dataset_id)).map(printQuestion)
})

/** Returns the properties that the user can see. @throws Problem not_found, forbidden */
export const listMetadataProperties = query(
  'metadata_properties.list',
  async (db, { user, dataset_id }: OfDataset): Promise<MetadataProperty[]> => {
    await readableDataset(db, dataset_id, user)
    const rows = await metadataPropertyRows(db, dataset_id)
    return rows.filter((row) => schemaPolicy.seeProperty(user, row)).map(printMetadataProperty)
  },
)

/** @throws Problem not_found, forbidden */
export const listVectorSettings = query(
  'vector_settings.list',
  async (db, { user, dataset_id }: OfDataset): Promise<VectorSettings[]> => {
    await readableDataset(db, dataset_id, user)
    return (await vectorSettingsRows(db, dataset_id)).map(printVectorSettings)
  },
)
