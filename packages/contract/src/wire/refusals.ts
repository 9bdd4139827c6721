import type { ReasonPart } from './reason-part.ts'
import { readReason } from './reasons.ts'
import { createSentences, type SentenceMatch } from './sentences.ts'

/**
 * The sentences that refuse requests of the page. Each has a code that stays the same when the wording changes. The wire carries only
 * the sentence. To show it in another language, the page parses the code from it. `{reason}` is a sentence of `reasons.ts` or a
 * message of another program. General sentences come last, so that more specific ones match first.
 */
const sentences = {
  userExists: 'User with username `{username}` already exists',
  deactivateSelf: 'You cannot deactivate yourself',
  workspaceExists: 'Workspace with name `{name}` already exists',
  workspaceHasDatasets: 'Workspace `{name}` still has datasets, for example `{dataset}`: delete them first',
  alreadyMember: 'User `{username}` already belongs to workspace `{workspace}`',
  datasetExists: 'Dataset with name `{name}` already exists for workspace with id `{workspace}`',
  partExists: '{part} with name `{name}` already exists for dataset with id `{dataset}`',
  partOfPublished: '{part} cannot be {action} for a published dataset',
  tooManyVectors: 'The maximum number of vector settings has been reached: a dataset has at most {limit}',
  publishNoFields: 'Dataset cannot be published without fields',
  publishNoQuestions: 'Dataset cannot be published without required questions',
  publishUnanswerable: 'Dataset cannot be published: the question {question} cannot be answered: {reason}',
  tooManyViews: 'You have {found} views of this dataset, and there can be no more',
  tooManyWebhooks: 'There are {found} webhooks, and there can be no more than {limit}',
  webhookUnreachable: 'Webhook with id `{id}` cannot be reached: {reason}',
  webhookDisabled: 'Webhook with id `{id}` is disabled: nothing is sent to it',
  serverJob: 'This job is work of the server itself: it cannot be stopped',
  nothingToExport: 'The dataset with id `{dataset}` has no records to export',
  notInDataset: '{part} `{name}` not found in the dataset',
  noVectorSize: 'Vector `{name}` has {expected} dimensions, the query has {found}',
  noDirection: 'A vector of zeros has no direction to compare with',
  notANumber: '`{value}` is not a number, which this filter compares with',
  noNumbers: 'Metadata property `{name}` has no numbers',
  authorGone: 'User with id `{user}`, whose answer this was, is not there any more',
  otherAnswer: 'The answer to record with id `{record}` is not the one that this change is based on',
  notPublished: 'The dataset is not published: records cannot be added before it is',
  factorRequired: 'This server asks you for a second factor: it cannot be turned off',
  noSecondFactor: 'There is no second factor',
  fileArrived: 'The file has arrived whole: it waits to be imported',
  fileBusy: 'Another request goes on with this file',
  fileEmpty: 'The file is empty: it has no heading with the names of the columns',
  fileNoRows: 'The file has no rows',
  sheetEmpty: 'The sheet {sheet} is empty: it has no heading with the names of the columns',
  sheetNoRows: 'The sheet {sheet} has no rows',
  noSheet: 'The file has no sheet {sheet}',
  noFileColumn: 'The file has no column {column}',
  noFieldOfName: 'The dataset has no field {name}',
  noPropertyOfName: 'The dataset has no metadata property {name}',
  noQuestionOfName: 'The dataset has no question {name}',
  fieldMappedTwice: 'Two columns are mapped to the field {name}',
  propertyMappedTwice: 'Two columns are mapped to the metadata property {name}',
  questionMappedTwice: 'Two columns are mapped to the question {name}',
  tooManyColumns: 'The file has {found} columns; at most {limit} can be read',
  columnNameless: 'Column {column} of the file has no name in the first line',
  columnTwice: 'Two columns of the file are named {column}',
  columnReserved: 'The column {column} of {table} has a name that the images have themselves',
  headingCell: 'The heading in row {row} cannot be read: {reason}',
  heading: 'The heading of the file cannot be read: {reason}',
  lineFault: 'Line {line} of the file cannot be read: {reason}',
  noLineRead: 'No row of the file can be read. Line {line}: {reason}',
  noRowRead: 'No row of the file can be read. Row {row}: {reason}',
  notUtf8: 'The file is not UTF-8: the byte at position {byte} is not part of a character. Save it as UTF-8 and send it again',
  notText:
    'The file is not text, whatever its name says: by its content it is {kind}. Give it a name that ends so, or save it as text',
  tableNotUtf8:
    'The table {table} is not UTF-8: the byte at position {byte} is not part of a text. Save it as UTF-8 and send the archive again',
  nulCharacter: 'The file has a NUL character at byte {byte}: text has none. A file in UTF-16 must be saved as UTF-8',
  oldWorkbook: 'Workbooks of the format .{format} cannot be imported: save it as .xlsx, and send it again',
  notWorkbook: 'The file is not a workbook (.xlsx), or not whole',
  workbookPassword: 'The file has a password: save it without one, and send it again',
  workbookOlder: 'The file is a workbook of the old format .xls: save it as .xlsx, and send it again',
  notArchive: 'The file is not a ZIP archive, or not whole',
  notParquet: 'The file is not a Parquet file',
  fileNoEnd: 'The file is not whole: its end is missing',
  unknownFormat: 'Files of the format {format} cannot be imported; those of {known} can',
  noFormat: 'The format of the file is not known: give it a name that ends with one of {known}',
  noImages: 'The archive has no images',
  unpacksTooLarge: 'The file unpacks to more than {limit} GB: send it in parts',
  tooMuchMemory: 'The file takes more memory than can be spared to look into it',
  partTwice: 'Two {parts} are named {name}',
} as const satisfies { readonly [code: string]: string }

const refusalSentences = createSentences(sentences)

export type RefusalCode = keyof typeof sentences
/** All codes, in the order in which sentences are matched. */
export const refusalCodes = refusalSentences.codes
/** Builds the sentence of a code. */
export const renderRefusal = refusalSentences.say

export type Refusal = SentenceMatch<RefusalCode> & {
  /** The parts of the parameter `reason`, outermost first. Empty if it is not one of our sentences. */
  readonly reason: readonly ReasonPart[]
}

/** The code and parameters of a refusal. Null for any other sentence. */
export const readRefusal = (sentence: string): Refusal | null => {
  for (const found of refusalSentences.formsOf(sentence)) return { ...found, reason: readReason(found.params.reason ?? null) }
  return null
}
