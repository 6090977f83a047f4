import ipaddr from 'ipaddr.js';

/** Azure's internal services use this address, which no registry lists as special. */
const notPublic: ReadonlySet<string> = new Set(['168.63.129.16']);

/** The IPv6 addresses that are assigned to hosts (RFC 4291 section 2.4). They exclude `::/96`, which can wrap IPv4. */
const globalUnicast: [ipaddr.IPv6, number] = [ipaddr.IPv6.parse('2000::'), 3];

/**
 * Whether a text is an address of the open internet. Addresses of a machine, a private network or a cloud's inside are
 * not, nor are those that wrap another address (mapped, translated, tunnelled).
 */
export function isPublicAddress(text: string): boolean {
  if (!ipaddr.isValid(text)) return false;
  const address = ipaddr.parse(text);
  if (address.range() !== 'unicast' || notPublic.has(address.toString())) return false;
  return address.kind() === 'ipv4' || address.match(globalUnicast);
}
