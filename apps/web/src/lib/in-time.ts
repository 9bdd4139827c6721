/** What comes within so many milliseconds. @throws what `late` gives when it does not; what comes later is nobody's concern */
export const inTime = <T>(work: Promise<T>, limit: number, late = () => new Error(`not within ${limit} ms`)): Promise<T> =>
  new Promise((done, fail) => {
    const timer = setTimeout(() => fail(late()), limit)
    void work.then(done, fail).finally(() => clearTimeout(timer))
  })
