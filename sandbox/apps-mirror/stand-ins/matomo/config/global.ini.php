[General]
