import { importEnough, importPolls } from '#lib/constants.ts'

/** How often it was asked for the first records of an import, and how many the dataset had the last time. */
export type Asked = { readonly polls: number; readonly total: number }
export const notAsked: Asked = { polls: 0, total: 0 }

/** Whether there is something to work on, or it has taken too long to be waited for. */
export const isEnough = ({ polls, total }: Asked): boolean => total >= importEnough || polls >= importPolls
