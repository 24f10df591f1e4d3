// Answers of EC2 in its form, by action: texts everywhere, lists of `item`, an empty element for an empty list or for a value
// that is missing, and fields that the driver does not read.

const tags = "<tagSet><item><key>longshore</key><value>home</value></item></tagSet>";

const reservation = (state: string, rest: string) => `
  <reservationId>r-1</reservationId><ownerId>1</ownerId><groupSet/>
  <instancesSet>
    <item>
      <architecture>x86_64</architecture><clientToken>order-1</clientToken>
      <instanceState><code>0</code><name>${state}</name></instanceState>
      <instanceId>i-1</instanceId><imageId>ami-1</imageId><instanceType>t3.small</instanceType>
      <launchTime>2026-03-01T10:00:00.000Z</launchTime><keyName/><productCodes/><hibernationOptions/>
      <placement><groupName/><availabilityZone>eu-west-3b</availabilityZone></placement>
      ${tags}
      ${rest}
    </item>
  </instancesSet>`;

const present = `
  <blockDeviceMapping>
    <item><deviceName>/dev/xvda</deviceName><ebs><volumeId>vol-1</volumeId><status>attached</status></ebs></item>
  </blockDeviceMapping>
  <stateReason><code/><message/></stateReason><reason/>
  <ipAddress>198.51.100.4</ipAddress><privateIpAddress>10.4.0.9</privateIpAddress>`;

// Without disks and a public address.
const past = `
  <blockDeviceMapping/>
  <stateReason><code>Client.UserInitiatedShutdown</code><message>User initiated shutdown</message></stateReason>`;

const changeOfState = (from: string, to: string) => `
  <instancesSet>
    <item>
      <instanceId>i-1</instanceId>
      <previousState><code>1</code><name>${from}</name></previousState>
      <currentState><code>2</code><name>${to}</name></currentState>
    </item>
  </instancesSet>`;

const contents: Record<string, string> = {
  DescribeRegions: `
    <regionInfo>
      <item><regionName>eu-west-3</regionName><optInStatus>opt-in-not-required</optInStatus></item>
      <item><regionName>sa-east-1</regionName><optInStatus>opted-in</optInStatus></item>
    </regionInfo>`,
  DescribeInstanceTypes: `
    <instanceTypeSet>
      <item>
        <instanceType>t3.small</instanceType><currentGeneration>true</currentGeneration>
        <vCpuInfo><defaultVCpus>2</defaultVCpus><validCores><item>1</item></validCores></vCpuInfo>
        <memoryInfo><sizeInMiB>2048</sizeInMiB></memoryInfo>
        <processorInfo>
          <supportedArchitectures><item>i386</item><item>x86_64</item></supportedArchitectures>
          <sustainedClockSpeedInGhz>2.5</sustainedClockSpeedInGhz>
        </processorInfo>
      </item>
    </instanceTypeSet>`,
  DescribeInstanceTypeOfferings: `
    <instanceTypeOfferingSet>
      <item><instanceType>t3.small</instanceType><locationType>region</locationType><location>eu-west-3</location></item>
    </instanceTypeOfferingSet>`,
  DescribeVpcs: `
    <vpcSet>
      <item>
        <vpcId>vpc-1</vpcId><cidrBlock>10.4.0.0/16</cidrBlock><isDefault>false</isDefault><state>available</state>
        <ipv6CidrBlockAssociationSet/><tagSet/>
      </item>
    </vpcSet>`,
  DescribeSubnets: `
    <subnetSet>
      <item>
        <subnetId>subnet-1</subnetId><vpcId>vpc-1</vpcId><cidrBlock>10.4.0.0/20</cidrBlock>
        <availabilityZone>eu-west-3b</availabilityZone><availabilityZoneId>euw3-az2</availabilityZoneId>
        <mapPublicIpOnLaunch>true</mapPublicIpOnLaunch><tagSet/>
      </item>
    </subnetSet>`,
  DescribeImages: `
    <imagesSet>
      <item>
        <imageId>ami-1</imageId><name>a-system</name><imageState>available</imageState>
        <architecture>arm64</architecture><creationDate>2026-02-01T00:00:00.000Z</creationDate>
        <rootDeviceName>/dev/xvda</rootDeviceName><productCodes/><tagSet/>
        <blockDeviceMapping>
          <item><deviceName>/dev/xvda</deviceName><ebs><snapshotId>snap-1</snapshotId><volumeSize>8</volumeSize></ebs></item>
          <item><deviceName>/dev/xvdb</deviceName><virtualName>ephemeral0</virtualName></item>
        </blockDeviceMapping>
      </item>
    </imagesSet>`,
  CreateSecurityGroup: "<groupId>sg-1</groupId><securityGroupArn>arn:aws:ec2:sg-1</securityGroupArn>",
  AuthorizeSecurityGroupIngress: `
    <return>true</return>
    <securityGroupRuleSet><item><groupId>sg-1</groupId><ipProtocol>tcp</ipProtocol></item></securityGroupRuleSet>`,
  DescribeSecurityGroups: `
    <securityGroupInfo>
      <item>
        <groupId>sg-1</groupId><groupName>order-1</groupName><vpcId>vpc-1</vpcId>
        <ipPermissions>
          <item>
            <ipProtocol>tcp</ipProtocol><fromPort>443</fromPort><toPort>443</toPort><groups/>
            <ipRanges><item><cidrIp>0.0.0.0/0</cidrIp></item></ipRanges>
          </item>
          <item><ipProtocol>-1</ipProtocol><groups/><ipRanges/></item>
        </ipPermissions>
        <ipPermissionsEgress/>
        ${tags}
      </item>
      <item><groupId>sg-2</groupId><groupName>default</groupName><ipPermissions/></item>
    </securityGroupInfo>`,
  RunInstances: reservation("pending", present),
  DescribeInstances: `<reservationSet><item>${reservation("running", present)}</item></reservationSet>`,
  "DescribeInstances-terminated": `<reservationSet><item>${reservation("terminated", past)}</item></reservationSet>`,
  DescribeVolumes: `
    <volumeSet>
      <item>
        <volumeId>vol-1</volumeId><size>30</size><volumeType>gp3</volumeType><status>in-use</status><iops>3000</iops>
        <createTime>2026-03-01T10:00:00.000Z</createTime>
        <attachmentSet><item><instanceId>i-1</instanceId></item></attachmentSet>
        ${tags}
      </item>
    </volumeSet>`,
  AllocateAddress: "<publicIp>198.51.100.4</publicIp><domain>vpc</domain><allocationId>eipalloc-1</allocationId>",
  AssociateAddress: "<associationId>eipassoc-1</associationId>",
  DescribeAddresses: `
    <addressesSet>
      <item>
        <publicIp>198.51.100.4</publicIp><allocationId>eipalloc-1</allocationId><associationId>eipassoc-1</associationId>
        <instanceId>i-1</instanceId>${tags}
      </item>
      <item><publicIp>198.51.100.5</publicIp><allocationId>eipalloc-2</allocationId><domain>vpc</domain></item>
    </addressesSet>`,
  StopInstances: changeOfState("running", "stopping"),
  StartInstances: changeOfState("stopped", "pending"),
  DisassociateAddress: "",
  ReleaseAddress: "",
  TerminateInstances: changeOfState("running", "shutting-down"),
  DeleteKeyPair: "<return>true</return><keyPairId>key-1</keyPairId>",
};

const document = (root: string, content: string) =>
  `<?xml version="1.0" encoding="UTF-8"?>\n<${root} xmlns="http://ec2.amazonaws.com/doc/2016-11-15">${content}</${root}>`;

/** Actions with their answers. A state that changes the form of an answer follows the name of the action. */
export const answers = Object.entries(contents).map(([name, content]) => {
  const [action = ""] = name.split("-");
  return { name, action, text: document(`${action}Response`, `${content}<requestId>1</requestId>`) };
});

export const refusalOf = (code: string): string =>
  document(
    "Response",
    `<Errors><Error><Code>${code}</Code><Message>No.</Message></Error></Errors><RequestID>1</RequestID>`,
  );

/** An hour's price of a type, in the price list's form: each entry is JSON in a string. */
export const priceOf = (instanceType: string, hourly: string): string =>
  JSON.stringify({
    product: { sku: "S1", productFamily: "Compute Instance", attributes: { instanceType, operatingSystem: "Linux" } },
    serviceCode: "AmazonEC2",
    terms: {
      OnDemand: {
        "S1.T1": {
          sku: "S1",
          offerTermCode: "T1",
          priceDimensions: {
            "S1.T1.R1": { unit: "Hrs", beginRange: "0", endRange: "Inf", appliesTo: [], pricePerUnit: { USD: hourly } },
          },
          termAttributes: {},
        },
      },
    },
  });
