/**
 * Limits how long a promise may take, in milliseconds. A later result is ignored.
 * @throws the error from `timeoutError` when time runs out
 */
export const withTimeout = <T>(
  work: Promise<T>,
  limit: number,
  timeoutError = () => new Error(`not within ${limit} ms`),
): Promise<T> =>
  new Promise((done, fail) => {
    const timer = setTimeout(() => fail(timeoutError()), limit)
    void work.then(done, fail).finally(() => clearTimeout(timer))
  })
