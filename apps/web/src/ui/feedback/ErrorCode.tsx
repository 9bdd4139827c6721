import { useEffect, useState } from 'react'
import styles from './ErrorCode.module.css'

/** A code in small type, which users can quote when they ask for help. */
export const ErrorCodeText = ({ code }: { readonly code: string }) => <code className={styles['code']}>{code}</code>

/** An error's code. Renders nothing for an error without a code. */
export const ErrorCode = ({ error }: { readonly error: unknown }) => {
  const [code, setCode] = useState<string | null>(null)
  useEffect(() => {
    // Loaded on demand, because few visits need the table of error codes.
    import('#lib/api/error-codes.ts').then(
      ({ errorCodeOf }) => setCode(errorCodeOf(error)),
      () => undefined,
    )
  }, [error])
  return code && <ErrorCodeText code={code} />
}
