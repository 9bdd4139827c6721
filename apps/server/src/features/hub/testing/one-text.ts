import { brotliDecompressSync } from 'node:zlib'

/** A Parquet file written by pyarrow, with 3,000 rows that all refer to the same string of 7,900,000 bytes. */
export const oneText = new Uint8Array(
  brotliDecompressSync(
    Buffer.from(
      'G+wBKK4K7GbHG2ZI8RXgK3pi1v02yqcfc28ub6KWvM/bHG2mkeSN61zXBJVMiz8CG2Pi8bwVlBDQ/Y0HQJazAxSJlbULCOh/nRzq' +
        'ATSwmudh3HIMWhxg5Jae7A9MSCZQP0X2IRr3pmXK+bfii7xPKWEFUj/F92c4AFJbz3Aj6f9LKeYbLKMLOYIOpnIUaKaSSh8UQboZ' +
        'IDMIEgkzKHfn6nApTxQpBfVxqUsu3cEhuH1eJeCj3l2HkrsW6u3a8fZVjjtF4leeUKdzlBOUgqCZUjQdt99+3Ep3AgKAFgtBww6p' +
        '0Mn22enl/kV+9+Qkn+jZ8fX/M1YahVKh7Pb5ALwC9gY=',
      'base64',
    ),
  ),
)
