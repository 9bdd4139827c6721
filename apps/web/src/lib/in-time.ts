/** What comes within so many milliseconds. @throws when it does not; what comes later is nobody's concern */
export const inTime = <T>(work: Promise<T>, limit: number): Promise<T> =>
  new Promise((done, fail) => {
    const timer = setTimeout(() => fail(new Error(`not within ${limit} ms`)), limit)
    void work.then(done, fail).finally(() => clearTimeout(timer))
  })
