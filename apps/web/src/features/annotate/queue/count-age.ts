/**
 * Whether a count of records may be too old: an answer to a record that is not known here was confirmed, and nothing that was asked for since
 * has come.
 */
export const createCountAge = () => {
  let isOld = false
  let wasOld = false
  return {
    isOld: (): boolean => isOld,
    grow: (): void => {
      isOld = true
    },
    /** A count is asked for. */
    begin: (): void => {
      wasOld = isOld
      isOld = false
    },
    /** It has not come. */
    fail: (): void => {
      isOld ||= wasOld
    },
  }
}
