import { expect, test } from 'vitest'
import { isPublicAddress } from './public-address.ts'

test.each([
  ['this host', '0.0.0.0', '::', '0.1.2.3'],
  ['loopback', '127.0.0.1', '127.255.255.254', '::1'],
  ['private networks', '10.0.0.1', '172.16.0.1', '172.31.255.255', '192.168.1.1'],
  ['shared address space of carriers', '100.64.0.1', '100.127.255.255'],
  ['link-local, including cloud metadata services', '169.254.169.254', 'fe80::1', 'fe80::1%eth0'],
  ['unique-local', 'fc00::1', 'fd00:ec2::254'],
  ['multicast and broadcast', '224.0.0.1', '239.1.1.1', 'ff02::1', '255.255.255.255'],
  ['reserved or for tests and examples', '240.0.0.1', '192.0.2.1', '198.18.0.1', '198.51.100.1', '203.0.113.1', '2001:db8::1'],
  ['IPv4 inside IPv6', '::ffff:127.0.0.1', '::ffff:7f00:1', '::127.0.0.1', '64:ff9b::7f00:1', '2002:7f00:1::'],
  ['tunnels and other special uses', '2001::1', '100::1', '5f00::1', '192.0.0.8', '192.88.99.1'],
  ['not an IP address', '', 'localhost', '1.2.3', '256.1.1.1', '127.1'],
])('not public: %s', (_what, ...addresses) => {
  for (const address of addresses) expect([address, isPublicAddress(address)]).toEqual([address, false])
})

test('public: all others', () => {
  const addresses = [
    '1.1.1.1',
    '9.255.255.255',
    '11.0.0.0',
    '100.63.0.1',
    '100.128.0.0',
    '172.15.0.1',
    '172.32.0.1',
    '192.169.0.1',
  ]
  for (const address of [...addresses, '223.255.255.255', '2606:4700::1111', '2a00::1', '2001:4860:4860::8888']) {
    expect([address, isPublicAddress(address)]).toEqual([address, true])
  }
})
