mysqldump: [Warning] Using a password on the command line interface can be insecure.
-- MySQL dump 10.13  Distrib 8.4.3, for Linux (x86_64)
/*!40101 SET @OLD_CHARACTER_SET_CLIENT=@@CHARACTER_SET_CLIENT */;
/*!50503 SET NAMES utf8mb4 */;
SET @MYSQLDUMP_TEMP_LOG_BIN = @@SESSION.SQL_LOG_BIN;
SET @@SESSION.SQL_LOG_BIN= 0;
SET @@GLOBAL.GTID_PURGED=/*!80000 '+'*/ '3e11fa47-71ca-11e1-9e33-c80aa9429562:1-5';
CREATE DATABASE /*!32312 IF NOT EXISTS*/ `old` /*!40100 DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_ai_ci */ /*!80016 DEFAULT ENCRYPTION='N' */;
USE `old`;
CREATE TABLE `pages` (
  `id` int NOT NULL,
  `title` varchar(100) COLLATE utf8mb4_0900_as_cs DEFAULT NULL COMMENT 'utf8mb4_0900_ai_ci',
  `body` text CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_ai_ci,
  PRIMARY KEY (`id`),
  KEY `title` (`title`) /*!80000 INVISIBLE */
) /*!50100 TABLESPACE `innodb_system` */ ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_0900_ai_ci;
LOCK TABLES `pages` WRITE;
INSERT INTO `pages` VALUES (1,'Käse','utf8mb4_0900_ai_ci; DEFINER=`a`@`b`; USE x; SET @@GLOBAL.y=1; GRANT z; OWNER TO w;'),(2,'it\'s','
USE y;
'),(3,'','');
UNLOCK TABLES;
/*!50003 SET collation_connection  = utf8mb4_0900_ai_ci */ ;
DELIMITER ;;
/*!50003 CREATE*/ /*!50017 DEFINER=`root`@`%`*/ /*!50003 TRIGGER `t` BEFORE INSERT ON `pages` FOR EACH ROW BEGIN
  SET NEW.body = CONCAT(NEW.body, ' by trigger');
END */;;
CREATE DEFINER=`admin`@`10.0.0.%` PROCEDURE `p`() BEGIN SELECT 1; SELECT ';'; END ;;
DELIMITER ;
/*!50001 CREATE ALGORITHM=UNDEFINED */
/*!50013 DEFINER=`admin`@`%` SQL SECURITY DEFINER */
/*!50001 VIEW `shown` AS select `pages`.`title` AS `title` from `pages` where `pages`.`id` = 1 */;
SET @@SESSION.SQL_LOG_BIN = @MYSQLDUMP_TEMP_LOG_BIN;
-- Dump completed on 2026-11-26 12:00:00
