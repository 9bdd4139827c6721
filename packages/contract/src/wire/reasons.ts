import type { ReasonPart } from './reason-part.ts'
import { createSentences } from './sentences.ts'

/**
 * The sentences that explain why a row was refused or why a job failed. Each has a code that stays the same when the wording changes.
 * `{reason}` is another of these sentences. The database and reports contain the sentence. To show it in another language, the page
 * parses the codes from it.
 */
const sentences = {
  rowInvalid: 'The row is not valid',
  rowNotJson: 'The row is not valid JSON',
  rowNotObject: 'The row is not a JSON object',
  rowNested: 'The row is nested more than {levels} levels deep',
  rowCell: 'The row has {found} cell where the heading has {expected}',
  rowCells: 'The row has {found} cells where the heading has {expected}',
  rowTooLong: 'The row has more than {limit} characters',
  rowUnclosed: 'What begins in line {line} is longer than {limit} bytes: a quote or bracket may never be closed there',
  nothingBeforeComma: 'Nothing stands before a comma of the list',
  quoteOpen: 'The quote of cell {cell} is never closed',
  quoteUnclosed: 'A quote that is opened in this row is never closed',
  listUnclosed: 'The list of the file is never closed',
  listEnded: 'Something stands behind the end of the list',
  notJsonList: 'The file is not a JSON list: it does not begin with [',
  noJsonList: 'The file is empty: it has no JSON list',
  quoteFollowed: 'Something stands behind the closing quote of cell {cell}',
  nothingBehindLine: 'Nothing behind line {line} can be read: {reason}',
  nothingBehindRow: 'Nothing behind row {row} can be read: {reason}',
  formulaEmpty: 'The formula of cell {cell} has no value: open the workbook in a spreadsheet program and save it there',
  rowCellBeyond: 'The row has a cell in column {column}, where the heading has none',
  rowBytes: 'The row is longer than {limit} bytes',
  notInArchive: '{file} is in a table, but not in the archive',
  inArchiveTwice: '{file} is in the archive twice',
  isLink: '{file} is a link and no file',
  tableLine: 'Line {line} of {table}: {reason}',
  tableNoName: 'Line {line} of {table} has no {column}',
  notAnImage: '{file} is no image that can be kept: PNG, JPEG, GIF, WebP, AVIF and BMP can, by their content',
  imageNotShown: '{file} is an image of a kind that browsers do not show ({type})',
  nameLeadsOut: '{file} has a name that leads out of the archive, or is none',
  cellError: 'The cell {cell} has the error {error}',
  idRepeated: 'The id {id} is that of row {row} already',
  idTaken: 'The id {id}, made for a row without one, is that of a record already',
  columnFault: 'The column {column} {reason}',
  classNoName: 'has the class {value}, which has no name',
  imageNoBytes: 'has an image without bytes',
  fileNotWhole: 'The file is not whole',
  rowsTooLarge: 'The rows are more than {limit} GB together',
  fileFewerRows: 'The file has fewer rows than it says',
  fileEncrypted: 'The file is encrypted',
  fileNotParquet: 'The file is not a Parquet file',
  archiveTooMuch: 'The archive has a file that unpacks to too much: {file} to more than {limit} bytes',
  archiveUnread: 'The archive cannot be read: {words}',
  archiveDamaged: 'The archive has a file that is damaged: {file}',
  archivePassword: 'The archive has a file with a password: {file}',
  saidTwice: '{table} says two things of {file}',
  imageTooLarge: '{file} has more than {limit} MB',
  tooManyFaults: 'More than {limit} rows cannot become records',
  fileGone: 'The file or its dataset is gone',
  datasetGone: 'The dataset is gone',
  importerGone: 'Whoever started the import may not sign in any more',
  exporterGone: 'The dataset is gone, or whoever started the export may not sign in any more',
  answererGone: 'Who started this may not answer records any more',
  notAllowed: 'Operation not allowed',
  noToken: 'There is no token: start the export again',
  tokenSealedElsewhere: 'The token was sealed with another secret than this server has: start again',
  notPublished: 'The dataset is not published: records cannot be added before it is',
  filesChanged: 'The files of the dataset have changed since the import began',
  noColumn: 'The dataset has no column {column}',
  noRecords: 'The dataset has no records',
  recordFileMissing: 'A record names a file that is not there: {file}',
  interrupted: 'The job was interrupted too often',
  stepFault: 'A step failed because of a fault; the log has it under job {job}',
  hubRefuses: '{host} does not show {what} ({status}): it does not exist, is private or gated, or the token is not valid for it',
  hubRefusesSaying:
    '{host} does not show {what} ({status}): it does not exist, is private or gated, or the token is not valid for it: {words}',
  hubUnknown: '{host} does not know {what} (404)',
  hubUnknownSaying: '{host} does not know {what} (404): {words}',
  hubBusy: '{host} asks to wait: too many requests (429)',
  hubAnswered: '{host} answered {status} when asked for {what}',
  notPublicAddress: '{host} is not a public address',
  hostNoAddress: 'The name {host} has no address',
  hostLookup: 'The name {host} could not be looked up',
  hostClosed: '{host} closed the connection before its answer was whole',
  hostNoConnection: '{host} did not accept the connection in time',
  hostNoAnswer: '{host} did not answer in time',
  hostStopped: '{host} stopped in the middle of its answer',
  hostUnreachable: '{host} could not be reached: {detail}',
  fieldsEmpty: 'Record fields cannot be empty',
  fieldMissing: 'Missing required value for field: `{field}`',
  fieldsExtra: 'Fields values not allowed: {fields} not in the dataset',
  fieldFault: 'Field `{field}` {reason}',
  propertyFault: 'Metadata property `{property}` {reason}',
  metadataFault: 'Metadata `{property}`: {reason}',
  propertyUnknown: '`{property}` is not a metadata property of the dataset and extra metadata is not allowed',
  suggestionFault: 'Suggestion for question with name={question} is not valid: {reason}',
  answerFault: 'Response value for question with name={question} is not valid: {reason}',
  answerMissing: 'Missing response value for required question with name={question}',
  answersMissing: 'Missing response values for submitted response',
  answerUnknown: 'Response value for question with name={question} found but the dataset has no such question',
  scoreSingle: 'a single value needs a single score',
  scoreCount: 'found {values} values but {scores} scores',
  mustBeText: 'must be a text',
  mustBeMessages: 'must be a list of messages',
  notAMessage: 'is not an object with role and content',
  mustHaveRole: 'must have role and content as texts',
  mustBeObject: 'must be an object',
  mustBeImage: 'must be the URL of an image',
  mustBeUrl: 'must be a URL that begins with http:, https: or data:',
  mustBeFullUrl: 'must be a URL with a host and a path',
  mustBeShortUrl: 'must be a URL of at most {limit} characters',
  mustBeShortDataUrl: 'must be a data URL of at most {limit} characters',
  mustBeMediaType: 'must be a data URL with one of the media types {types}',
  mustBeNumber: 'must be a number',
  mustBeInteger: 'must be an integer within ±(2^53−1)',
  mustBeTerm: 'must be one of its terms, found {value}',
  mustBeAtLeast: 'must be at least {limit}',
  mustBeAtMost: 'must be at most {limit}',
  wantsText: 'This question expects a text value',
  wantsOption: 'This question expects one option value as text',
  wantsOptions: 'This question expects a list of option values',
  wantsInteger: 'This question expects an integer value',
  wantsRanking: 'This question expects a list of ranked option values',
  wantsEachRank: 'This question expects a rank for each of its {expected} options, found {found}',
  wantsOnce: 'This question expects each option once, found {value} twice',
  wantsSpans: 'This question expects a list of spans with label, start and end',
  notAnOption: '{value} is not a valid option; valid options are {options}',
  spanNoText: 'The record has no text in field `{field}`, which this question marks spans of',
  spanOutside: 'Span {span} lies outside of field `{field}`, which has {length} characters',
  spansOverlap: 'Spans {first} and {second} overlap, which this question does not allow',
  required: 'Field required',
  notString: 'Input should be a valid string',
  notList: 'Input should be a valid list',
  notDictionary: 'Input should be a valid dictionary',
  badText: 'text must not contain NUL characters or lone surrogates',
  messageFault: 'message {message} {reason}',
  valueFault: 'Value error, {reason}',
} as const satisfies { readonly [code: string]: string }

export type ReasonCode = keyof typeof sentences

const reasonSentences = createSentences(sentences)
/** All codes, in the order in which sentences are matched. */
export const reasonCodes = reasonSentences.codes

const maxDepth = 5

const read = (sentence: string, depth: number): readonly ReasonPart[] | null => {
  if (depth > maxDepth) return null
  for (const { code, params } of reasonSentences.formsOf(sentence)) {
    const { reason, ...own } = params
    if (reason === undefined) return [{ code, params: own }]
    const inner = read(reason, depth + 1)
    if (inner !== null) return [{ code, params: own }, ...inner]
  }
  return null
}

/** The codes and parameters of a sentence, outermost first. Empty if the sentence has no code. */
export const readReason = (sentence: string | null): readonly ReasonPart[] => (sentence === null ? [] : (read(sentence, 1) ?? []))

/** Builds the sentence of a code. */
export const renderReason = reasonSentences.say
