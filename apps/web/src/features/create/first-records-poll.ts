import { importPollsMax, importRecordsEnough } from '#lib/constants.ts'

/** How many times the first records of an import were requested, and how many records the dataset had at the last request. */
export type PollState = { readonly polls: number; readonly total: number }
export const noPolls: PollState = { polls: 0, total: 0 }

/** Whether there are records to work on, or waiting has taken too long. */
export const isDonePolling = ({ polls, total }: PollState): boolean => total >= importRecordsEnough || polls >= importPollsMax
